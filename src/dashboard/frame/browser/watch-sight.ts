import { type Heard, type Line, watchLine } from '../../../orders/page/browser/watch-line.ts';
import { showOne } from './show-one.ts';

/**
 * Always shows whether payments can be seen, for counter and sound box: the server's reasons come with the list, and
 * the line's state from its answers. Reports each change.
 */
export function watchSight(
  root: HTMLElement,
  list: HTMLElement,
  report: (isSeeing: boolean) => void = () => {},
): void {
  let line: Line = 'good';
  let shown = '';
  const look = () => {
    const blind = list.querySelector<HTMLElement>('[data-blind]')?.dataset['blind'];
    const now = line === 'good' ? (blind ?? 'seeing') : line;
    if (now === shown) return;
    const turned = shown !== '' && (now === 'seeing') !== (shown === 'seeing');
    shown = now;
    root.dataset['sight'] = now;
    showOne('data-when', now, root);
    if (turned) report(now === 'seeing');
  };
  const hear = watchLine(next => {
    line = next;
    look();
  });
  root.addEventListener('answer', event => hear((event as CustomEvent<Heard>).detail));
  look();
  new MutationObserver(look).observe(list, { childList: true });
}

/** Nothing can be sent now. What was typed stays. */
export function isCutOff(root: HTMLElement): boolean {
  return root.dataset['sight'] === 'lost' || root.dataset['sight'] === 'out';
}
