import { buildBrowser } from '../src/checkout/build-browser.ts';
import { buildSdk } from '../src/clients/build-sdk.ts';
import { buildDashboard } from '../src/dashboard/build-dashboard.ts';
import { buildDocs } from '../src/docs-site/build-docs.ts';
import { buildBar } from '../src/sandbox/bar.ts';

/** `npm run prepare`, which `npm ci` calls: afterwards nothing that serves needs the compiler. */
await Promise.all([buildBrowser(), buildDashboard(), buildDocs(), buildBar(), buildSdk()]);
