import { Parser } from 'htmlparser2';
import { normaliseText } from './plain-text.ts';

/**
 * All words of a page without its tags, whether a reader sees them or not: those of comments, hidden elements and broken
 * attributes too. Tags are cut out one by one and without a parser's memory, so that nothing that somebody opens before
 * the bank's words can take them away. The text follows once more with all that tags hold, as a payer may have opened
 * one before the bank's words and closed it behind them.
 */
export function sourceText(html: string): string {
  const pieces: string[] = [];
  const parser = new Parser({ ontext: piece => pieces.push(piece) }, { decodeEntities: true });
  parser.end(`${html.replace(/<[^<>]*>/g, ' ').replaceAll('<', ' ')} ${html.replace(/[<>]/g, ' ')}`);
  return normaliseText(pieces.join(''));
}
