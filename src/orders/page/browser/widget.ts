import type { MilaanWidget } from './milaan-widget.d.ts';
import { mountWidget } from './mount-widget.ts';

/** The address of this script, known only while it runs for the first time. */
const script = document.currentScript as HTMLScriptElement | null;
const scriptOrigin = script?.src ? new URL(script.src).origin : location.origin;

const widget: MilaanWidget = {
  mount: (selector, options) => mountWidget(scriptOrigin, selector, options),
};

/** The older name is the same object, so that older pages keep working unchanged (§9). */
window.Milaan = widget;
window.UpiWidget = widget;
