import type { Form } from '../../base/http/form.ts';

const below = /^\/dashboard(?:[/?#]|$)/;

/** Where to go on to: a path of the dashboard, whatever the field says, in the spelling that a header can carry. */
export function nextPath(form: Form, otherwise = '/dashboard'): string {
  const next = form.text('next');
  const url = URL.parse(next, 'http://here.invalid');
  if (url?.host !== 'here.invalid' || !below.test(next) || /[\\\r\n]/.test(next)) return otherwise;
  return below.test(url.pathname) ? url.pathname + url.search + url.hash : otherwise;
}
