/** A piece of HTML that is safe to send: made by `html` alone, or declared safe by `trusted`. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a hole of a template. Anything else is a bug that the compiler names. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * HTML as a tagged template. Every hole is escaped, so that text from outside stays text, between tags and inside
 * quoted attributes alike; a piece made by `html` is taken as it is; null, undefined and false leave nothing; a list
 * is joined. An attribute must be quoted, and a hole must never stand inside <script> or <style>.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0]!;
  values.forEach((value, at) => {
    text += written(value) + strings[at + 1]!;
  });
  return new Html(text);
}

/** Marks text as HTML without escaping it: only for markup that we generated ourselves, such as the QR's SVG. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

function written(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  // Not by its type, but what a row keeps as JSON may be an object where a text was meant.
  if (typeof value === 'object') return escapeHtml(JSON.stringify(value));
  return escapeHtml(String(value));
}

const dangerous = /[&<>"'`]/g;
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escapeHtml(text: string): string {
  return text.replace(dangerous, character => entities[character]!);
}
