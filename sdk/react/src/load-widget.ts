import type { MilaanOrder } from './order.ts';

export type MilaanWidget = {
  mount(
    selector: string,
    options: Record<string, unknown> & { origin: string; onSuccess(order: MilaanOrder): void },
  ): void;
};

const patience = 30_000;
const loading = new Map<string, Promise<MilaanWidget>>();

/** Loads the widget's script once per page, however many components ask. The next one retries a failed load. */
export function loadWidget(origin: string, nonce: string | undefined): Promise<MilaanWidget> {
  const address = `${origin.replace(/\/+$/, '')}/embed/milaan.js`;
  const begun = loading.get(address);
  if (begun) return begun;
  const load = begin(address, nonce);
  loading.set(address, load);
  load.catch(() => loading.delete(address));
  return load;
}

async function begin(address: string, nonce: string | undefined): Promise<MilaanWidget> {
  // A page may include the script itself, for its own content policy.
  if (!widgetOf(window)) await run(address, nonce);
  // The widget waits for the whole page, and a component may be gone by then. So the wait comes first.
  if (document.readyState === 'loading')
    await new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
  const widget = widgetOf(window);
  if (!widget) throw new Error(`${address} is not Milaan's widget`);
  return widget;
}

const widgetOf = (page: Window) => (page as unknown as { Milaan?: MilaanWidget }).Milaan;

function run(address: string, nonce: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const end = (problem?: string) => {
      clearTimeout(limit);
      if (problem === undefined) return resolve();
      script.remove();
      reject(new Error(problem));
    };
    const limit = setTimeout(
      () => end(`${address} did not load within ${patience / 1000} seconds`),
      patience,
    );
    script.onload = () => end();
    script.onerror = () => end(`${address} could not be loaded`);
    if (nonce !== undefined) script.nonce = nonce;
    script.async = true;
    script.src = address;
    document.head.append(script);
  });
}
