import encodeQR from 'qr';

const quietZone = 4;

/** The link as an SVG, level M, black on white with its quiet zone, so that it scans in dark mode too. */
export function qrSvg(link: string): string {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: quietZone });
  const side = rows.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${darkRuns(rows)}"/></svg>`
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
const starts = Array.from({ length: mostModules }, (_, x) => `M${x} `);
const lines = Array.from({ length: mostModules }, (_, y) => `${y}.5`);
const gaps = Array.from({ length: mostModules }, (_, width) => `m${width} 0`);
const runs = Array.from({ length: mostModules }, (_, width) => `h${width}`);

/**
 * One stroke, a module wide, through the middle of each row: pen down over dark modules, up over light ones.
 * Rectangles would say the same in more than twice the bytes, and the QR is most of a create's answer.
 */
function darkRuns(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    let end = -1;
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += (end < 0 ? starts[start]! + lines[y]! : gaps[start - end]!) + runs[x + 1 - start]!;
      end = x + 1;
    }
  }
  return path;
}
