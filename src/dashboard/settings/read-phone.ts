/**
 * A telephone number as a phone dials it from anywhere: +91… for one of India, with or without its 0, and as it stands
 * for a toll-free one, which has no country code. Null where it is none.
 */
export function readPhone(text: string): string | null {
  const number = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  if (/^\+[1-9]\d{7,14}$/.test(number)) return number;
  if (/^1[89]\d{2}\d{6,7}$/.test(number)) return number;
  const indian = /^(?:0|91)?([6-9]\d{9})$/.exec(number) ?? /^0(\d{10})$/.exec(number);
  return indian ? `+91${indian[1]}` : null;
}
