/** HTML whose inserted values are escaped: text from outside stays text. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Hole = Html | string | number | false | null | readonly Html[];

export function html(strings: TemplateStringsArray, ...holes: Hole[]): Html {
  const written = holes.map(hole => {
    if (hole === false || hole === null) return '';
    if (hole instanceof Html) return hole.text;
    if (typeof hole === 'object') return hole.map(part => part.text).join('');
    return String(hole).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
  });
  return new Html(strings.reduce((text, string, at) => text + written[at - 1] + string));
}

type Page = {
  title: string;
  body: Html;
  /** Whether the page polls for news. */
  live?: boolean;
  scripts?: readonly string[];
};

export function page({ title, body, live = false, scripts = [] }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
${live && html`<script src="/refresh.js" defer></script><noscript><meta http-equiv="refresh" content="5"></noscript>`}
<title>${title} · Kettle &amp; Leaf</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
${scripts.map(source => html`<script src="${source}" defer></script>`)}
</head>
<body>
<header><a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28"> Kettle &amp; Leaf</a>
<nav><a href="/">Shop</a><a href="/orders">Orders</a></nav></header>
<main>${body}</main>
<footer><p>Kettle &amp; Leaf, Guwahati. Your money goes straight to our bank account.</p>
<p>A demo: nothing is sold here. Its source is in <code>examples/shop</code>.</p></footer>
</body>
</html>
`;
}

const inRupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 0,
});

export function rupees(amount: number): string {
  return inRupees.format(amount);
}
