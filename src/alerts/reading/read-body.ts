import { because, type Reason } from '../../texts/verdicts.ts';
import { knownCharset } from '../mail/decode-subject.ts';
import { htmlToText, privateUse, sourceText } from '../mail/html-to-text.ts';
import { normaliseLines, withoutBorders } from '../mail/plain-text.ts';
import {
  decodeTransfer,
  type Leaf,
  type PartTree,
  parseContentType,
  type Refused,
  splitParts,
} from '../mail/split-parts.ts';
import type { MimeShape, VerifiedOrigin } from '../origin/weigh-signature.ts';

/** Lines of one text. A genuine alert has some hundreds. */
const maxLines = 20_000;

/** A mail's two texts: the HTML made plain, and the plain one as written. Null if the mail has no such part. */
export type BodyText = {
  readonly outcome: 'read';
  readonly html: string | null;
  readonly cells?: string | null;
  /** All words of the HTML, visible or not. */
  readonly source?: string | null;
  readonly text: string | null;
};

/** Reads the signed body as a reader sees it: at most one HTML and one plain part, nothing else. */
export async function readBody(
  mail: Pick<VerifiedOrigin, 'contentType' | 'transferEncoding' | 'mimeSigned' | 'body'>,
  unsignedMime: readonly MimeShape[] | null,
): Promise<BodyText | Refused> {
  const tree = splitParts(mail.contentType, mail.transferEncoding, mail.body);
  if (tree.outcome === 'refused') return tree;
  if (!mail.mimeSigned && !unsignedMime?.some(shape => hasShape(tree, mail.contentType, shape)))
    return refuse(because('unknown_build'));

  const texts = tree.leaves.filter(leaf => leaf.type.startsWith('text/'));
  if (texts.some(leaf => leaf.attached || !['text/html', 'text/plain'].includes(leaf.type)))
    return refuse(because('text_attached'));
  const htmls = texts.filter(leaf => leaf.type === 'text/html');
  const plains = texts.filter(leaf => leaf.type === 'text/plain');
  if (htmls.length > 1 || plains.length > 1) return refuse(because('two_texts'));
  if (texts.length === 0) return refuse(because('no_text'));

  const html = htmls[0] ? decodeLeaf(htmls[0]) : null;
  const text = plains[0] ? decodeLeaf(plains[0]) : null;
  if (typeof html === 'object' && html !== null) return html;
  if (typeof text === 'object' && text !== null) return text;
  if (!mail.mimeSigned && tree.containers === 0 && !showsItsKind(html, text))
    return refuse(because('plain_or_html'));
  const shown = html === null ? '' : htmlToText(html);
  if (typeof shown !== 'string') return refuse(shown);
  const cells = html === null ? null : normaliseLines(shown);
  return {
    outcome: 'read',
    html: cells === null ? null : withoutBorders(cells),
    cells,
    source: html === null ? null : sourceText(html),
    // Plain text has no cell borders, so they are removed.
    text: text === null ? null : text.replace(privateUse, '').trim(),
  };
}

/**
 * A relay may rewrite unsigned MIME headers, but not the body. In a container without text outside its parts, the
 * first line shows the boundary, and the parts' own headers are signed with the body. So only one reading is possible.
 * Without a container, charset and encoding are in unsigned headers, and must be what the body itself shows.
 */
function hasShape(tree: PartTree, contentType: string | null, shape: MimeShape): boolean {
  if (parseContentType(contentType ?? '')?.type !== shape.contentType || tree.looseText) return false;
  if (tree.leaves.map(leaf => leaf.type).join() !== shape.parts.join()) return false;
  return tree.containers === 0 ? tree.leaves.every(showsItsEncoding) : tree.containers === 1;
}

/** True if every other encoding label would be refused or would give the same text. */
function showsItsEncoding({ charset, encoding, content }: Leaf): boolean {
  if (content.trimStart().startsWith('--') || headOfPart.test(content)) return false;
  if (!['utf-8', 'us-ascii'].includes(knownCharset(charset ?? 'utf-8') ?? '')) return false;
  if (isBase64(content)) return encoding === 'base64';
  const isQuoted = content.includes('=') && !brokenQuotes.test(content);
  return isQuoted === (encoding === 'quoted-printable') && encoding !== 'base64';
}

/** A sign of a container under any label, even with words before its first boundary. */
const headOfPart = /^content-(?:type|transfer-encoding|disposition)[ \t]*:/im;

const brokenQuotes = /=(?![0-9A-Fa-f]{2}|\r\n|$)/;

/** Without tags and entities both kinds read alike. Otherwise HTML begins with a tag, which plain text does not. */
function showsItsKind(html: string | null, text: string | null): boolean {
  const hasMarkup = /<|&#?\w+;/.test(html ?? text ?? '');
  return !hasMarkup || (html?.trimStart().startsWith('<') ?? false);
}

/** Decodes a part's transfer encoding and charset, if both match its content. */
export function decodeLeaf(
  leaf: Pick<Leaf, 'charset' | 'encoding' | 'params' | 'content'>,
): string | Refused {
  // The default is UTF-8, which agrees with us-ascii wherever that is defined.
  const charset = knownCharset(leaf.charset ?? 'utf-8');
  if (charset === null) return refuse(because('unknown_charset'));
  if (leaf.content.split('\r\n').length > maxLines) return refuse(because('too_many_lines'));
  if (leaf.params.get('delsp')?.toLowerCase() === 'yes') return refuse(because('odd_line_folding'));
  if (leaf.encoding === 'base64' && !isBase64(leaf.content)) return refuse(because('broken_base64'));
  if (leaf.encoding === 'quoted-printable' && brokenQuotes.test(leaf.content))
    return refuse(because('broken_quoted_printable'));

  const decoded = new TextDecoder(charset).decode(decodeTransfer(leaf.encoding, leaf.content));
  if (decoded.includes('\0')) return refuse(because('nul_character'));
  if (charset === 'us-ascii' && /[^\x00-\x7f]/.test(decoded)) return refuse(because('not_ascii'));
  return decoded;
}

function isBase64(content: string): boolean {
  const packed = content.replace(/[\r\n ]+/g, '');
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
}

function refuse(reason: Reason): Refused {
  return { outcome: 'refused', reason };
}
