import type { Template } from './bank.ts';

/** Whether a wording names this value, in its sentence or in one of its rows. */
export function hasSlot({ written }: Pick<Template, 'written'>, slot: string): boolean {
  return [written.body, ...written.rows.map(([, value]) => value)].some(text => text.includes(`{${slot}}`));
}
