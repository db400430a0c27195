export type Rgb = readonly [red: number, green: number, blue: number];

/** WCAG 2.2, 1.4.3: the minimum contrast of text. */
export const leastContrast = 4.5;

/** WCAG 2.2's contrast ratio, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map(part => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Takes six hexadecimal digits. */
export function parseRgb(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
