import { Parser } from 'htmlparser2';

/** Elements whose content a reader of the mail never sees as text. */
const unseen = new Set(
  'head title style script template noframes noembed iframe object svg math textarea select datalist'.split(
    ' ',
  ),
);
/** Elements that stand apart from the text around them. All others join it without a space. */
const apart = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hr html img input legend li main menu nav ol option p pre section summary ' +
    'table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Tags open at once. Mails built of tables in tables stay below a hundred. */
export const maxOpenTags = 1000;

type Shown = { readonly hidden: boolean; readonly invisible: boolean; readonly zeroSize: boolean };

/**
 * The text that a person sees in an HTML mail. Comments and hidden nodes go (a hidden preview line often repeats the
 * sentence, and a sentence that matches twice is refused); block elements, cells and breaks become a space; entities
 * are decoded once, by the parser, so that an escaped tag in a payer's name stays text. Null when tags nest too deep.
 */
export function htmlToText(html: string): string | null {
  const pieces: string[] = [];
  const stack: Shown[] = [{ hidden: false, invisible: false, zeroSize: false }];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        stack.push(shownWithin(stack.at(-1)!, name, attributes));
        // The parser's work on one tag grows with the number of open ones.
        if (stack.length > maxOpenTags) parser.pause();
        if (apart.has(name)) pieces.push(' ');
      },
      onclosetag(name) {
        if (stack.length > 1) stack.pop();
        if (apart.has(name)) pieces.push(' ');
      },
      ontext(text) {
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
function shownWithin(outer: Shown, name: string, attributes: Record<string, string>): Shown {
  const style = parseStyle(attributes['style'] ?? '');
  const nothingHigh = ['height', 'max-height'].some(property => isZero(style.get(property)));
  const size = style.get('font-size');
  const visibility = style.get('visibility');
  return {
    hidden:
      outer.hidden ||
      unseen.has(name) ||
      attributes['hidden'] !== undefined ||
      style.get('display') === 'none' ||
      isZero(style.get('opacity')) ||
      (nothingHigh && style.get('overflow') === 'hidden'),
    invisible: visibility === undefined ? outer.invisible : /^(?:hidden|collapse)$/.test(visibility),
    zeroSize:
      size === undefined ? outer.zeroSize : isZero(size) || (outer.zeroSize && /(?:em|%)$/.test(size)),
  };
}

function parseStyle(style: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(';')) {
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

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0*(?:\.0*)?(?:[a-z]+|%)?$/.test(value) && value.startsWith('0');
}
