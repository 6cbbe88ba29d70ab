"""What is on disk about a workspace, and how does it get there?"""
