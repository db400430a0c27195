import { Parser } from 'htmlparser2';
import { hiddenSelectors } from './hidden-selectors.ts';

/** Elements whose content a reader of the mail never sees as text. */
const unseen = new Set(
  (
    'head title style script template noframes noembed iframe object svg math textarea select datalist ' +
    // Struck out is taken back, and what stands over ruby text is not part of the line.
    'del s strike rt rp'
  ).split(' '),
);
/** Elements that stand apart from the text around them (`500<sup>37</sup>` is no 50037). All others join it. */
const apart = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html img input legend li main menu nav ol option p pre section sub summary ' +
    'sup table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Tags open at once. Mails built of tables in tables stay below a hundred. */
export const maxOpenTags = 1000;
/** Style sheets in one mail; each is read together with those before it. */
const maxSheets = 8;

type Shown = { readonly hidden: boolean; readonly invisible: boolean; readonly zeroSize: boolean };

/**
 * The text that a person sees in an HTML mail. Comments and hidden nodes go (a hidden preview line often repeats the
 * sentence, and a sentence that matches twice is refused); block elements, cells and breaks become a space; entities
 * are decoded once, by the parser, so that an escaped tag in a payer's name stays text. Null when tags nest too deep.
 */
export function htmlToText(html: string): string | null {
  const pieces: string[] = [];
  let css = '';
  let inStyle = false;
  let sheets = 0;
  let offScreen: ReadonlySet<string> = new Set();
  const stack: Shown[] = [{ hidden: false, invisible: false, zeroSize: false }];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        stack.push(shownWithin(stack.at(-1)!, name, attributes, offScreen));
        // The parser's work on one tag grows with the number of open ones.
        if (stack.length > maxOpenTags) parser.pause();
        if (apart.has(name)) pieces.push(' ');
        inStyle = name === 'style' && sheets++ < maxSheets;
      },
      onclosetag(name) {
        if (stack.length > 1) stack.pop();
        if (inStyle) offScreen = hiddenSelectors(css);
        inStyle = false;
        if (apart.has(name)) pieces.push(' ');
      },
      ontext(text) {
        if (inStyle) css += text;
        const { hidden, invisible, zeroSize } = stack.at(-1)!;
        if (!hidden && !invisible && !zeroSize) pieces.push(text);
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  if (stack.length > maxOpenTags) return null;
  parser.end();
  return pieces.join('');
}

/**
 * display:none and the like hide all below; visibility and font-size are inherited and may be undone further in (ICICI
 * wraps its whole mail in a table of font-size 0). aria-hidden text is on the screen, so it counts as seen.
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
  };
}

/** What the mail's style sheet says about the classes and the id of an element. */
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

/** Moved beyond the edge of every screen, cut away, or shrunk to nothing: other ways to hide a preview line. */
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
