import encodeQR from 'qr';

const quietZone = 4;

/** The link as an SVG, level M, black on white with its quiet zone, so that it scans in dark mode too. */
export function qrSvg(link: string): string {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: quietZone });
  const side = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${darkRuns(rows)}"/></svg>`
  );
}

/** §2: an SVG in a data: URI with base64 payload, or null when the QR cannot be drawn; the order exists all the same. */
export function qrDataUri(link: string): string | null {
  try {
    return `data:image/svg+xml;base64,${Buffer.from(qrSvg(link), 'latin1').toString('base64')}`;
  } catch {
    return null;
  }
}

/** The largest QR has 177 modules a side. */
const mostModules = 177 + 2 * quietZone;
/** Written once: every create draws hundreds of runs. */
const columns = Array.from({ length: mostModules }, (_, x) => `M${x} `);
const lines = Array.from({ length: mostModules }, (_, y) => String(y));
const boxes = Array.from({ length: mostModules }, (_, width) => `h${width}v1h-${width}z`);

/** One path for all dark modules: a horizontal run is one rectangle. */
function darkRuns(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += columns[start]! + lines[y]! + boxes[x - start + 1]!;
    }
  }
  return path;
}
