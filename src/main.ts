import { keepCompiled } from './keep-compiled.ts';

keepCompiled();
await import('./start.ts');
