// Runs the script of a tree-map page against the few things of a browser that it touches, and prints what was drawn as JSON.
const html = require("fs").readFileSync(process.argv[2], "utf8");
const data = /<script id="data" type="application\/json">([\s\S]*?)<\/script>/.exec(html)[1];
const code = /<script>\n([\s\S]*?)<\/script>/.exec(html)[1];
class Element {
  constructor() { this.style = {}; this.kids = []; this.attributes = {}; this.className = ""; this.text = ""; this.clientWidth = 1000; this.clientHeight = 700; }
  set textContent(text) { this.text = String(text); }
  get textContent() { return this.text; }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...kids) { this.kids.push(...kids); }
  replaceChildren() { this.kids = []; }
}
const known = {};
const element = name => known[name] ??= new Element();
element("data").text = data;
global.document = { getElementById: element, querySelector: element, createElement: () => new Element() };
const handlers = {};
global.addEventListener = (name, handler) => { handlers[name] = handler; };
(0, eval)(code.replace(/^(const|let) /gm, "var "));
const size = el => { const [, w, h] = /width:([\d.e-]+)px;height:([\d.e-]+)px/.exec(el.style.cssText); return w * h; };
const all = el => [el, ...el.kids.filter(kid => kid instanceof Element).flatMap(all)];
const top = element("map").kids;
const out = {
  title: element("h1").text,
  most: element("most").text,
  area: top.reduce((sum, el) => sum + size(el), 0),
  boxes: top.flatMap(all).filter(el => el.className.startsWith("file")).map(el => [el.attributes["aria-label"], el.style.background]),
};
const folder = top.find(el => el.className === "folder");
if (folder) {
  folder.onclick({ stopPropagation() {} });
  out.zoomed = element("map").kids.length;
  handlers.keydown({ key: "Escape" });
  out.back = element("map").kids.length;
}
console.log(JSON.stringify(out));
