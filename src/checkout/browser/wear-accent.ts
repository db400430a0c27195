import { complain } from './element.ts';

const inks = ['#ffffff', '#12211b'];
/** What WCAG 2 asks of text. */
const leastContrast = 4.5;

/** The shop's colour on the buttons, with the ink that reads best on it. One that no ink can be read on is not worn. */
export function wearAccent(host: HTMLElement, accent: string): void {
  const lightness = luminance(accent);
  const contrast = (ink: string) => {
    const [dark, light] = [lightness, luminance(ink)].sort((a, b) => a - b) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  };
  const [ink = ''] = inks.sort((a, b) => contrast(b) - contrast(a));
  if (!(contrast(ink) >= leastContrast))
    complain(
      `accent ${accent} is not worn: give #rrggbb on which white or black text can be read (4.5 to 1)`,
    );
  else {
    host.style.setProperty('--fill', accent);
    host.style.setProperty('--on-fill', ink);
  }
}

/** By WCAG 2; NaN for what is no #rgb or #rrggbb. */
function luminance(colour: string): number {
  const hex = /^#[\da-f]{3}$/i.test(colour) ? colour.replace(/[\da-f]/gi, '$&$&') : colour;
  if (!/^#[\da-f]{6}$/i.test(hex)) return Number.NaN;
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
