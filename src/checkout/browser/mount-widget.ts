import { type WidgetTexts, widgets } from '../../texts/widgets.ts';
import { complain, element } from './element.ts';
import { readOptions } from './read-options.ts';
import { runWidget } from './run-widget.ts';
import css from './widget.css';

/**
 * §4.4: puts the widget into the first element that matches. Whatever is wrong is said on the page and in the
 * console; nothing is ever thrown into the shop's page.
 */
export function mountWidget(scriptOrigin: string, selector: unknown, given: unknown): void {
  const begin = () => {
    try {
      place(scriptOrigin, selector, given);
    } catch (error) {
      complain('the widget could not start', error);
    }
  };
  // Called from the head, the container is not there yet.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin, { once: true });
  else begin();
}

function place(scriptOrigin: string, selector: unknown, given: unknown): void {
  const texts = chooseTexts();
  const container = find(selector);
  const host = element('div');
  // Open: a closed root hides nothing from a page that owns every global, but hides us from its tests and from axe.
  const root = host.attachShadow({ mode: 'open' });
  style(root);
  if (!container) {
    complain(`no element of this page matches the selector ${String(selector)}`);
    document.body.append(host);
    root.append(element('div', { class: 'box', role: 'alert' }, texts.misconfigured));
    return;
  }
  container.replaceChildren(host);
  runWidget(host, root, readOptions(given, scriptOrigin), texts);
}

function find(selector: unknown): Element | null {
  if (selector instanceof Element) return selector;
  try {
    return document.querySelector(String(selector));
  } catch {
    return null;
  }
}

function chooseTexts(): WidgetTexts {
  const spoken = [...(navigator.languages ?? [navigator.language]), 'en'];
  return spoken.map(tag => widgets[tag.toLowerCase().split('-')[0]!]).find(texts => texts !== undefined)!;
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
