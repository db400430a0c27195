import { element, fill } from './element.ts';

const svg = 'http://www.w3.org/2000/svg';
const prefix = 'data:image/svg+xml;base64,';

/**
 * The QR out of qr_base64. Our own SVG is drawn anew from its numbers, so that a page whose policy forbids data:
 * images shows it too; any other one becomes an image, in which nothing can run.
 */
export function drawQr(dataUri: unknown, label: string): Element | null {
  if (typeof dataUri !== 'string' || !dataUri.startsWith(prefix)) return null;
  const drawn = redraw(dataUri.slice(prefix.length), label);
  return drawn ?? element('img', { class: 'qr', src: dataUri, alt: label });
}

function redraw(base64: string, label: string): Element | null {
  try {
    const source = atob(base64);
    const side = /viewBox="0 0 (\d+) \1"/.exec(source)?.[1];
    const dark = /<path stroke="#000" d="([Mhm\d. ]+)"\/><\/svg>$/.exec(source)?.[1];
    if (!side || !dark) return null;
    return shape(
      'svg',
      {
        class: 'qr',
        viewBox: `0 0 ${side} ${side}`,
        role: 'img',
        'aria-label': label,
        'shape-rendering': 'crispEdges',
      },
      shape('path', { fill: '#fff', d: `M0 0h${side}v${side}H0z` }),
      shape('path', { stroke: '#000', d: dark }),
    );
  } catch {
    return null;
  }
}

function shape(name: string, attributes: Record<string, string>, ...children: Element[]): Element {
  return fill(document.createElementNS(svg, name), attributes, children);
}
