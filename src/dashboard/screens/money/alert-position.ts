import type { AlertPosition } from '../../queries/refused.ts';

/** A place in a list of mails. It only narrows what this business may see anyway, so nobody gains by editing it. */
export function writePosition({ arrivedAt, alertId }: AlertPosition): string {
  return `${arrivedAt.getTime()}.${alertId}`;
}

export function readPosition(text: string): AlertPosition | null {
  const [, time, alertId] = /^(\d{1,15})\.([A-Za-z0-9_]{1,80})$/.exec(text) ?? [];
  return time && alertId ? { arrivedAt: new Date(Number(time)), alertId } : null;
}
