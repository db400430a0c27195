import { Parser } from 'htmlparser2';
import { because, type Reason } from '../../texts/verdicts.ts';
import { hiddenSelectors } from './hidden-selectors.ts';
import { breakInCell, cellBorder, normaliseText } from './plain-text.ts';

const unseen = new Set(
  (
    'head title style script template noframes noembed iframe object svg math textarea select datalist ' +
    // Browsers show these with all inner tags as text.
    'xmp plaintext ' +
    // Struck-out text is withdrawn, and ruby annotations are not part of the line.
    'del s strike rt rp'
  ).split(' '),
);
/** Elements that begin and end a line. */
const blocks = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot ' +
    'thead tr ul'
  ).split(' '),
);
/** Elements that are separate from the text around them (`500<sup>37</sup>` is not 50037). All others join it. */
const apart = new Set('img input option sub sup td th'.split(' '));

/** Tags open at once. Mails with nested tables stay below a hundred. */
export const maxOpenTags = 1000;
/** Style sheets in one mail; each is read together with the previous ones. */
const maxSheets = 8;

/** Added at the end: the parser reports it unless the page ends inside a comment, a tag or an attribute. */
const endMark = '<!---->';

type Shown = {
  readonly hidden: boolean;
  readonly invisible: boolean;
  readonly zeroSize: boolean;
  /** White space in the source is white space on the screen. */
  readonly keepsLines: boolean;
  readonly border: '' | ' ' | '\n';
  /** Text inside was left out, because this element or one around it is hidden. */
  hasHidden?: boolean;
};

/**
 * The text that a person sees in an HTML mail, line by line. Comments and hidden nodes are removed, because a hidden
 * preview line often repeats the sentence, and a sentence that matches twice is refused. The parser decodes entities
 * once, so an escaped tag in a payer's name stays text. `cellBorder` separates a row's cells. Returns a reason if tags
 * nest too deep, or if an unclosed element hides text: a payer with an unescaped name could use one to hide the bank's
 * next words.
 */
export function htmlToText(html: string): string | Reason {
  const lines = new Lines();
  let css = '';
  let inStyle = false;
  let sheets = 0;
  let offScreen: ReadonlySet<string> = new Set();
  let isEndSeen = false;
  let isUnclosed = false;
  const stack: Shown[] = [
    { hidden: false, invisible: false, zeroSize: false, keepsLines: false, border: '' },
  ];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const shown = shownWithin(stack.at(-1)!, name, attributes, offScreen);
        stack.push(shown);
        // The parser's work on one tag grows with the number of open ones.
        if (stack.length > maxOpenTags) parser.pause();
        lines.part(shown.border, ofTable.has(name));
        if (name === 'tr') lines.openRow();
        if (name === 'td' || name === 'th') lines.openCell();
        inStyle = name === 'style' && sheets++ < maxSheets;
      },
      onclosetag(name, isImplied) {
        const shown = stack.length > 1 ? stack.pop() : undefined;
        const outer = stack.at(-1)!;
        if (shown?.hasHidden && hides(outer) && !unseen.has(name)) outer.hasHidden = true;
        else if (shown?.hasHidden && isImplied) isUnclosed = true;
        if (inStyle) offScreen = hiddenSelectors(css);
        inStyle = false;
        if (name === 'tr') lines.closeRow();
        lines.part(shown?.border ?? '', ofTable.has(name));
      },
      oncomment() {
        if (parser.startIndex === html.length) isEndSeen = true;
      },
      ontext(text) {
        if (inStyle) css += text;
        const shown = stack.at(-1)!;
        if (hides(shown)) {
          if (normaliseText(text) !== '') shown.hasHidden = true;
          return;
        }
        const own = text.replace(privateUse, '');
        lines.add(shown.keepsLines ? own : own.replace(/\s+/g, ' '));
      },
    },
    { decodeEntities: true },
  );
  parser.write(html + endMark);
  if (stack.length > maxOpenTags) return because('html_too_deep');
  parser.end();
  return isEndSeen && !isUnclosed ? lines.text() : because('html_unclosed');
}

function hides({ hidden, invisible, zeroSize }: Shown): boolean {
  return hidden || invisible || zeroSize;
}

type Row = { hasText: boolean /** The open cell has text to its left. */; isRight: boolean };

const ofTable = new Set('table thead tbody tfoot tr'.split(' '));
export const privateUse = new RegExp(`[${cellBorder}${breakInCell}]`, 'g');

/** Collects a page's lines. A cell with text to its left in its row belongs to that line. */
class Lines {
  readonly #pieces: string[] = [];
  readonly #rows: Row[] = [];
  /** The row whose next text joins the text to its left, over any borders between them. */
  #joined: Row | null = null;

  add(piece: string): void {
    if (piece.trim() === '') {
      this.part(piece, false);
      return;
    }
    this.#joined = null;
    for (let at = this.#rows.length - 1; at >= 0 && !this.#rows[at]!.hasText; at--)
      this.#rows[at]!.hasText = true;
    this.#pieces.push(piece);
  }

  /** Keeps one of several adjacent spaces and line ends in a row. A table inside a cell has its own lines. */
  part(border: string, isOfTable: boolean): void {
    if (border === '' || this.#joined !== null) return;
    const isLine = border.includes('\n');
    const own = isLine ? (this.#rows.at(-1)?.isRight && !isOfTable ? breakInCell : '\n') : border;
    const last = this.#pieces.at(-1);
    if (last === undefined || !isBorder(last)) this.#pieces.push(own);
    else if (isLine && last !== '\n') this.#pieces[this.#pieces.length - 1] = own;
  }

  openRow(): void {
    this.#rows.push({ hasText: false, isRight: false });
  }

  closeRow(): void {
    if (this.#rows.pop() === this.#joined) this.#joined = null;
  }

  openCell(): void {
    const row = this.#rows.at(-1);
    if (row === undefined) this.part('\n', true);
    if (!row?.hasText) return;
    row.isRight = true;
    while (this.#pieces.length > 0 && isBorder(this.#pieces.at(-1)!)) this.#pieces.pop();
    this.#pieces.push(cellBorder);
    this.#joined = row;
  }

  text(): string {
    return this.#pieces.join('');
  }
}

function isBorder(piece: string): boolean {
  return piece.trim() === '' || piece === cellBorder || piece === breakInCell;
}

/**
 * display:none and similar rules hide everything inside. visibility and font-size are inherited and may be undone
 * inside (ICICI wraps its whole mail in a table of font-size 0). aria-hidden text is on the screen, so it counts.
 */
function shownWithin(
  outer: Shown,
  name: string,
  attributes: Record<string, string>,
  offScreen: ReadonlySet<string>,
): Shown {
  const style = parseStyle(attributes['style'] ?? '');
  const nothing = ['height', 'max-height', 'width', 'max-width'].some(property =>
    isZero(style.get(property)),
  );
  const size = style.get('font-size') ?? shorthandSize(style.get('font'));
  const visibility = style.get('visibility');
  const whiteSpace = style.get('white-space');
  return {
    hidden:
      outer.hidden ||
      unseen.has(name) ||
      isTurnedRound(name, style) ||
      attributes['hidden'] !== undefined ||
      (style.get('display') ?? sheetDisplay(attributes, offScreen)) === 'none' ||
      /line-through/.test(`${style.get('text-decoration')} ${style.get('text-decoration-line')}`) ||
      isZero(style.get('opacity')) ||
      isOutOfSight(style) ||
      (nothing && style.get('overflow') === 'hidden'),
    invisible: visibility === undefined ? outer.invisible : /^(?:hidden|collapse)$/.test(visibility),
    zeroSize:
      size === undefined ? outer.zeroSize : isZero(size) || (outer.zeroSize && /(?:em|%)$/.test(size)),
    keepsLines:
      name === 'pre' || (whiteSpace === undefined ? outer.keepsLines : whiteSpace.startsWith('pre')),
    border: borderOf(name, style.get('display')),
  };
}

/** Style can make a span a block, and a block part of its line. A row separates its cells. */
function borderOf(name: string, display: string | undefined): Shown['border'] {
  if (apart.has(name)) return ' ';
  if (display === undefined || display === 'none') return blocks.has(name) ? '\n' : '';
  if (display.startsWith('inline')) return blocks.has(name) ? ' ' : '';
  return '\n';
}

function sheetDisplay(
  { class: classes = '', id = '' }: Record<string, string>,
  offScreen: ReadonlySet<string>,
): string | undefined {
  if (offScreen.size === 0) return undefined;
  const names = [
    ...classes
      .slice(0, 1000)
      .split(/\s+/)
      .map(one => `.${one}`),
    `#${id}`,
  ];
  return names.some(name => offScreen.has(name)) ? 'none' : undefined;
}

/** Text that is shown backwards does not say what it spells. */
function isTurnedRound(name: string, style: ReadonlyMap<string, string>): boolean {
  return name === 'bdo' || /override/.test(style.get('unicode-bidi') ?? '');
}

/** Text moved off the screen, cut away or shrunk to nothing: other ways to hide a preview line. */
function isOutOfSight(style: ReadonlyMap<string, string>): boolean {
  const farAway = (property: string) => /^-\d{3,}/.test(style.get(property) ?? '');
  const isMoved =
    /^(?:absolute|fixed)$/.test(style.get('position') ?? '') &&
    ['left', 'right', 'top', 'bottom'].some(farAway);
  const isCut = /^rect\((?:0(?:px)?[\s,]*){4}\)/.test(style.get('clip') ?? '');
  const isShrunk = /scale\(0(?:\.0*)?\)/.test(style.get('transform') ?? '');
  const isClear = /opacity\(0(?:\.0*)?%?\)/.test(style.get('filter') ?? '');
  return isMoved || isCut || isShrunk || isClear || farAway('text-indent');
}

/** `font: 0/0 a` sets the size too. */
function shorthandSize(font: string | undefined): string | undefined {
  return /(?:^|\s)(\d[\d.]*(?:[a-z]+|%)?)(?=[\s/])/.exec(font ?? '')?.[1];
}

function parseStyle(style: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const declaration of withoutComments(style.toLowerCase()).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      properties.set(
        declaration.slice(0, colon).trim(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim(),
      );
  }
  return properties;
}

function withoutComments(style: string): string {
  const [first = '', ...others] = style.split('/*');
  return [first, ...others.map(one => one.split('*/').slice(1).join('*/'))].join(' ');
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0*(?:\.0*)?(?:[a-z]+|%)?$/.test(value) && value.startsWith('0');
}

/**
 * All words of a page without its tags, visible or not, including comments, hidden elements and broken attributes.
 * Each tag is cut out on its own, without a parser's state. So nothing opened before the bank's words can remove them.
 * The text is repeated with the tags' content, because a payer may have opened a tag before the bank's words and
 * closed it after them.
 */
export function sourceText(html: string): string {
  const pieces: string[] = [];
  const parser = new Parser({ ontext: piece => pieces.push(piece) }, { decodeEntities: true });
  parser.end(`${html.replace(/<[^<>]*>/g, ' ').replaceAll('<', ' ')} ${html.replace(/[<>]/g, ' ')}`);
  return normaliseText(pieces.join(''));
}
