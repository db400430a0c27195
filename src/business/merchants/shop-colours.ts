import { contrast, leastContrast, parseRgb, type Rgb } from '../../base/contrast.ts';

/** A shop colour's shades for buttons and links, for text on them, and for backgrounds. */
export type Shades = { deep: string; onDeep: string; tint: string };

/** The card colours of `tokens.css`. */
const dayCard: Rgb = [255, 255, 255];
const nightCard: Rgb = [0x16, 0x20, 0x1d];
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
const shadeOfCard = 0.1;
const step = 0.04;

/** Reads `#0B6B4F`, with or without `#`; null for anything else. */
export function readColour(text: string): string | null {
  return /^#?([0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}

/** Darkens the colour by day and lightens it by night until text is readable. */
export function shopColours(hex: string): { day: Shades; night: Shades } {
  const given = parseRgb(hex);
  return { day: shades(given, dayCard, black), night: shades(given, nightCard, white) };
}

function shades(given: Rgb, card: Rgb, towards: Rgb): Shades {
  for (let share = 0; ; share += step) {
    const deep = mix(given, towards, Math.min(share, 1));
    const tint = mix(card, deep, shadeOfCard);
    const onDeep = contrast(deep, white) >= contrast(deep, black) ? white : black;
    const isReadable = contrast(deep, card) >= leastContrast && contrast(deep, tint) >= leastContrast;
    if (isReadable || share >= 1)
      return { deep: written(deep), onDeep: written(onDeep), tint: written(tint) };
  }
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
}

function written(colour: Rgb): string {
  return `#${colour.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}
