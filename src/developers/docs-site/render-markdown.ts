import { Marked, type Token, type Tokens } from 'marked';
import { type Html, type HtmlValue, html, trusted } from '../../base/http/html.ts';

export type Heading = { level: number; text: string; id: string };
/** A part of a page that the search can link to. */
type Passage = { heading: string; id: string; text: string };
export type Rendered = { title: string; body: Html; headings: Heading[]; passages: Passage[] };

type Options = {
  /** The link's address in the site; null when its target is not served. */
  linkTo(target: string): string | null;
  baseUrl: string;
};

/** Renders our own Markdown to HTML. Raw HTML in it is escaped and shown as text. */
export function renderMarkdown(source: string, { linkTo, baseUrl }: Options): Rendered {
  const slugs = new Set<string>();
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => html`${text}`.text,
      heading({ tokens, depth }) {
        const words = plainText(tokens);
        const id = newSlug(words, slugs);
        headings.push({ level: depth, text: words, id });
        const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        const inner = trusted(this.parser.parseInline(tokens));
        return depth === 1
          ? html`<h1>${inner}</h1>`.text
          : html`${trusted(`<h${depth} id="${id}">`)}${inner} ${link}${trusted(`</h${depth}>`)}`.text;
      },
      link({ href, tokens }) {
        const inner = trusted(this.parser.parseInline(tokens));
        const target = linkTo(href);
        return target === null ? inner.text : html`<a href="${target}">${inner}</a>`.text;
      },
      image({ href, text }) {
        const address = linkTo(href);
        return (
          address === null
            ? html`${text}`
            : html`<img class="picture" src="${address}" alt="${text}" loading="lazy">`
        ).text;
      },
      code: ({ text, lang }) => codeBlock(text, lang).text,
      checkbox: () => '<span class="box">☐</span> ',
      table({ header, rows }) {
        const inline = (cell: Tokens.TableCell) => trusted(this.parser.parseInline(cell.tokens));
        const names = header.map(cell => plainText(cell.tokens));
        return tableHtml(
          names,
          rows.map(row => row.map(inline)),
        ).text;
      },
    },
  });
  const tokens = marked.lexer(source.replaceAll('{base_url}', baseUrl));
  const body = trusted(
    groupSamples(tokens)
      .map(group => groupHtml(marked, group))
      .join(''),
  );
  return { title: headings[0]?.text ?? 'Milaan', body, headings, passages: passagesOf(tokens, headings) };
}

/** The language is the first word, such as `sh` or `ts`. Tests that run the samples use the rest. */
function languageOf(info: string | undefined): string {
  return info?.trim().split(/\s+/)[0] ?? '';
}

const languageNames: Record<string, string> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  php: 'PHP',
  python: 'Python',
  json: 'JSON',
  html: 'HTML',
  sql: 'SQL',
  ini: 'systemd',
  dockerfile: 'Container file',
};

export function codeBlock(text: string, info: string | undefined): Html {
  const name = /\btitle=(\w+)/.exec(info ?? '')?.[1] ?? languageNames[languageOf(info)] ?? '';
  return html`<figure class="code" data-name="${name}">${name !== '' && html`<figcaption>${name}</figcaption>`}<pre tabindex="0"><code>${text}</code></pre></figure>`;
}

/** Samples of one thing in several languages follow each other and share a `run=` mark. */
function groupSamples(tokens: Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const last = groups.at(-1);
    const sample = sampleOf(token);
    if (last && sample !== null && last.every(one => sampleOf(one) === sample)) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

function sampleOf(token: Token): string | null {
  return token.type === 'code'
    ? (/\brun=([\w-]+)/.exec((token as Tokens.Code).lang ?? '')?.[1] ?? null)
    : null;
}

function groupHtml(marked: Marked, group: Token[]): string {
  const inner = marked.parser(group);
  return group.length > 1 ? `<div class="samples">${inner}</div>` : inner;
}

function passagesOf(tokens: Token[], headings: Heading[]): Passage[] {
  const passages: Passage[] = [];
  let next = 0;
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = headings[next++];
      passages.push({
        heading: heading?.text ?? '',
        id: heading?.level === 1 ? '' : (heading?.id ?? ''),
        text: '',
      });
    } else {
      const last = passages.at(-1);
      if (last) last.text = `${last.text} ${plainText([token])}`.replaceAll(/\s+/g, ' ').trim();
    }
  }
  return passages;
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(token => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows]
          .flat()
          .map(cell => plainText(cell.tokens))
          .join(' ');
      }
      if (token.type === 'list')
        return (token as Tokens.List).items.map(item => plainText(item.tokens)).join(' ');
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return token.type === 'space' ? ' ' : ((token as Tokens.Text).text ?? '');
    })
    .join('');
}

/** Makes ids as GitHub does, so that one link works in both places. */
function newSlug(text: string, taken: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  let slug = plain;
  for (let number = 1; taken.has(slug); number++) slug = `${plain}-${number}`;
  taken.add(slug);
  return slug;
}

/** A table with this many columns folds on a phone: each row becomes a list with the columns' names. */
const wideFrom = 3;

export function tableHtml(names: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  return html`<div class="table${names.length >= wideFrom && ' wide'}" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${names.map(
    name => html`<th>${name}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    row => html`<tr>${row.map((value, at) => html`<td data-head="${names[at]}">${value}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}
