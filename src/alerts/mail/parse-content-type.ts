export type ContentType = { readonly type: string; readonly params: ReadonlyMap<string, string> };

const token = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]+";
const start = new RegExp(`^(${token}/${token})[ \\t]*(?=;|$)`);
/** Unquoted values may hold `=` and `/`, which some mailers put into a boundary; no reader takes them otherwise. */
const parameter =
  /^;[ \t]*([A-Za-z0-9!#$%&'*+.^_`{|}~-]+)=(?:"((?:[^"\\\x00-\x1f]|\\[\x20-\x7e])*)"|([A-Za-z0-9!#$%&'*+./=^_`{|}~-]+))[ \t]*(?=;|$)/;

/**
 * Reads Content-Type or Content-Disposition strictly. A parameter given twice, a comment, and charset or boundary in
 * the RFC 2231 spelling (`charset*=`, `boundary*0=`) are refused: which one counts differs between readers.
 */
export function parseContentType(value: string): ContentType | null {
  return parseStructured(value, start);
}

const disposition = new RegExp(`^(${token})[ \\t]*(?=;|$)`);

export function parseDisposition(value: string): ContentType | null {
  return parseStructured(value, disposition);
}

function parseStructured(value: string, first: RegExp): ContentType | null {
  const type = first.exec(value);
  if (!type) return null;
  const params = new Map<string, string>();
  let rest = value.slice(type[0].length);
  while (!/^[ \t;]*$/.test(rest)) {
    const found = parameter.exec(rest);
    if (!found) return null;
    const name = found[1]!.toLowerCase();
    if (params.has(name) || /^(?:charset|boundary)\*/.test(name)) return null;
    params.set(name, found[2]?.replace(/\\(.)/g, '$1') ?? found[3]!);
    rest = rest.slice(found[0].length);
  }
  return { type: type[1]!.toLowerCase(), params };
}
