/** HTML that is safe to send: only `html` and `trusted` create it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** The values that a template accepts; any other type does not compile. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * HTML as a tagged template. Every value is escaped, in text and in quoted attributes. HTML made by `html` is inserted
 * as it is; null, undefined and false are left out; a list is joined. Quote every attribute, and never put a value
 * inside <script> or <style>.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0]!;
  values.forEach((value, at) => {
    text += written(value) + strings[at + 1]!;
  });
  return new Html(text);
}

/** Marks text as safe HTML without escaping. Only for markup that we generated, such as the QR code's SVG. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

function written(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  // The type excludes objects, but a row's JSON may contain one in place of a text.
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
