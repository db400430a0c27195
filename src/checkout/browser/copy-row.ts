import { element } from './element.ts';
import type { WidgetTexts } from './load-texts.ts';

export type Copied = { label: string; shown: string; value: string };

const shownFor = 2_000;

/** A line with a button that copies it. Where there is no clipboard, the line says how it is done by hand. */
export function copyRow(
  { label, shown, value }: Copied,
  texts: WidgetTexts,
  say: (text: string) => void,
): HTMLElement {
  const what = element('small', {}, label);
  const button = element(
    'button',
    { type: 'button', class: 'copy', 'aria-label': `${texts.copy}: ${label}` },
    texts.copy,
  );
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(value);
      button.textContent = texts.copied;
      say(texts.copied);
      setTimeout(() => {
        button.textContent = texts.copy;
        say('');
      }, shownFor);
    } catch {
      what.textContent = texts.copyByHand;
      say(texts.copyByHand);
    }
  });
  return element('li', {}, element('span', {}, what, element('b', {}, shown)), button);
}
