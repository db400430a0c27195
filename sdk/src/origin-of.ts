/** An installation's address without the slash at its end. */
export function originOf(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError('Milaan: baseUrl must be an address such as https://pay.example.in');
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('Milaan: baseUrl must begin with http(s)://');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
