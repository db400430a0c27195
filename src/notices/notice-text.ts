import { type Language, tellIn } from './tell-in.ts';

/** A notice as its reader wants it: in their language, and with the clock of India, where every shop of ours is. */
export function noticeText(language: Language, text: string): string {
  return tellIn(language, text).replaceAll(instant, iso => inIndia(language, new Date(iso)));
}

const instant = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z\b/g;

function inIndia(language: Language, at: Date): string {
  const words = new Intl.DateTimeFormat(`${language}-IN`, {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  });
  return `${words.format(at)} IST`;
}
