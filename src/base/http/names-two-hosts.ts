import type { IncomingMessage } from 'node:http';

/** RFC 9112 §3.2: a proxy may have gone by one of them and we by the other, so neither is believed. */
export function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
