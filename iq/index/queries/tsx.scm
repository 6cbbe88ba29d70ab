; All of TypeScript; what it leaves out, and markup elements.
; inherits typescript
