import { contrast, leastContrast, parseRgb } from '../../../base/contrast.ts';
import { complain, element } from './element.ts';
import { chooseLanguage, english, loadTexts } from './load-texts.ts';
import { readOptions } from './read-options.ts';
import { runWidget } from './run-widget.ts';
import css from './widget.css';

/**
 * §4.4: puts the widget into the first element that matches. Whatever is wrong is said on the page and in the
 * console; nothing is ever thrown into the shop's page.
 */
export function mountWidget(scriptOrigin: string, selector: unknown, given: unknown): void {
  const begin = () =>
    void place(scriptOrigin, selector, given).catch(error => complain('the widget could not start', error));
  // Called from the head, the container is not there yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
}

async function place(scriptOrigin: string, selector: unknown, given: unknown): Promise<void> {
  const options = readOptions(given, scriptOrigin);
  const tag = chooseLanguage(options.language, options.languages);
  const container = find(selector);
  const host = element('div', { lang: tag });
  // Open: a closed root hides nothing from a page that owns every global, but hides us from its tests and from axe.
  const root = host.attachShadow({ mode: 'open' });
  style(root);
  if (!container) {
    complain(`no element of this page matches the selector ${String(selector)}`);
    document.body.append(host);
    root.append(element('div', { class: 'box', role: 'alert' }, english.misconfigured));
    return;
  }
  if (options.accent !== null) wearAccent(host, options.accent);
  container.textContent = '';
  container.append(host);
  const texts = tag === 'en' ? english : await loadTexts(options.origin, tag, options.language === tag);
  // Another widget may have taken its place meanwhile, and one that nobody sees must make no order.
  if (host.parentNode === container) runWidget(host, root, options, texts);
}

function find(selector: unknown): Element | null {
  if (selector instanceof Element) return selector;
  try {
    return document.querySelector(String(selector));
  } catch {
    return null;
  }
}

/** A constructed sheet is not inline style, so a strict policy of the page lets it pass. */
function style(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(element('style', {}, css));
  }
}

const inks = ['ffffff', '12211b'];

/** The shop's colour on the buttons, with the ink that reads best on it. One that no ink can be read on is not worn. */
function wearAccent(host: HTMLElement, accent: string): void {
  const short = /^#[\da-f]{3}$/i.test(accent);
  const hex = /^#([\da-f]{6})$/i.exec(short ? accent.replace(/[\da-f]/gi, '$&$&') : accent)?.[1];
  const contrastWith = (ink: string) => (hex ? contrast(parseRgb(hex), parseRgb(ink)) : 0);
  const [ink = ''] = inks.sort((a, b) => contrastWith(b) - contrastWith(a));
  if (contrastWith(ink) < leastContrast)
    complain(
      `accent ${accent} is not worn: give #rrggbb on which white or black text can be read (4.5 to 1)`,
    );
  else {
    host.style.setProperty('--fill', accent);
    host.style.setProperty('--on-fill', `#${ink}`);
  }
}
