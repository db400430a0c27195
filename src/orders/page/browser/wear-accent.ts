import { contrast, leastContrast, parseRgb } from '../../../base/contrast.ts';
import { complain } from './element.ts';

const inks = ['ffffff', '12211b'];

/** The shop's colour on the buttons, with the ink that reads best on it. One that no ink can be read on is not worn. */
export function wearAccent(host: HTMLElement, accent: string): void {
  const short = /^#[\da-f]{3}$/i.test(accent);
  const hex = /^#([\da-f]{6})$/i.exec(short ? accent.replace(/[\da-f]/gi, '$&$&') : accent)?.[1];
  const contrastWith = (ink: string) => (hex ? contrast(parseRgb(hex), parseRgb(ink)) : 0);
  const [ink = ''] = inks.sort((a, b) => contrastWith(b) - contrastWith(a));
  if (contrastWith(ink) < leastContrast)
    complain(
      `accent ${accent} is not worn: give #rrggbb on which white or black text can be read (4.5 to 1)`,
    );
  else {
    host.style.setProperty('--fill', accent);
    host.style.setProperty('--on-fill', `#${ink}`);
  }
}
