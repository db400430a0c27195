/** The number of rules read in one style sheet. A bank's mail has a few dozen. */
const maxRules = 2000;

/**
 * The classes and ids that a mail's style sheet hides. Mails hide a second copy of their text for telephones, or a
 * preview line. Only rules for one plain class or id count, and none inside `@media`, because the view on a large
 * screen decides. The last rule for a name wins, as in a browser.
 */
export function hiddenSelectors(css: string): ReadonlySet<string> {
  const hidden = new Set<string>();
  let depth = 0;
  let prelude = '';
  const pieces = css.replace(/<!--|-->/g, '').split(/([{}])/);
  for (const [at, piece] of pieces.entries()) {
    if (at > 2 * maxRules * 2) break;
    if (piece === '{') depth++;
    else if (piece === '}') depth = Math.max(depth - 1, 0);
    else if (depth === 0) prelude = piece.slice(piece.lastIndexOf(';') + 1).trim();
    else if (depth === 1 && !prelude.startsWith('@')) applyRule(hidden, prelude, piece);
  }
  return hidden;
}

function applyRule(hidden: Set<string>, prelude: string, declarations: string): void {
  const display = /(?:^|;)\s{0,20}display\s{0,20}:\s{0,20}([a-z-]{1,20})/i.exec(declarations)?.[1];
  if (display === undefined) return;
  for (const selector of prelude.slice(-2000).split(',')) {
    const name = /(?:^|\*\/)\s*[a-z0-9]{0,12}([.#][A-Za-z0-9_-]{1,60})$/i.exec(selector.trim())?.[1];
    if (name === undefined) continue;
    if (display.toLowerCase() === 'none') hidden.add(name);
    else hidden.delete(name);
  }
}
