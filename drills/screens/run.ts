import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLighthouse } from './lighthouse.ts';
import { takePictures } from './take-pictures.ts';
import { takeScreenshots } from './take-screenshots.ts';

/**
 * A browser looks at pages and screens:
 * `npm run drill -- screens [FOLDER [NAMES]]` takes a picture of each in every look, to be looked at.
 * `npm run drill -- screens docs [NAMES]` takes the pictures of README and docs, from a Saturday with eighty payments.
 * `npm run drill -- screens lighthouse [page|dashboard]` scores them on a slow phone, and fails below a goal.
 */
const [what = join(tmpdir(), 'milaan-screenshots'), which] = process.argv.slice(2);
const names = which?.split(',');
if (what === 'docs') await takePictures(names);
else if (what === 'lighthouse') await runLighthouse(which);
else await takeScreenshots(what, names);
