import fc from 'fast-check';

/**
 * The same cases at every run, so that what fails is what was changed and not the dice: nobody else's work waits for
 * them. `SEED=7 npm test -- test/…` tries others.
 */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_115) });

export { fc };
