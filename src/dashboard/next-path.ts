import type { Form } from './form.ts';

/** Where to go on to: a path of the dashboard, whatever the field says. */
export function nextPath(form: Form, otherwise = '/dashboard'): string {
  const next = form.text('next');
  const url = URL.parse(next, 'http://here.invalid');
  const ours = url?.host === 'here.invalid' && /^\/dashboard(?:[/?]|$)/.test(next) && !/[\\\r\n]/.test(next);
  return ours ? next : otherwise;
}
