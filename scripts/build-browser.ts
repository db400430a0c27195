import { buildDashboard } from '../src/dashboard/frame/build-dashboard.ts';
import { buildSdk } from '../src/developers/clients/build-sdk.ts';
import { buildDocs } from '../src/developers/docs-site/build-docs.ts';
import { buildBrowser } from '../src/orders/page/build-browser.ts';
import { buildBar } from '../src/sandbox/bar.ts';

/** `npm run prepare`, which `npm ci` calls: afterwards nothing that serves needs the compiler. */
await Promise.all([buildBrowser(), buildDashboard(), buildDocs(), buildBar(), buildSdk()]);
