import type { Form } from '../../base/http/form.ts';

/** The value of a field that a script filled with JSON; null for anything else. */
export function readJsonField(form: Form, name: string): unknown {
  try {
    return JSON.parse(form.text(name));
  } catch {
    return null;
  }
}
