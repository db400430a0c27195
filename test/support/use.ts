import * as runner from 'node:test';

type Hooks = Pick<typeof runner, 'after' | 'before' | 'beforeEach'>;

/** Everything that is open in this process. Node runs `after` hooks in the order of their declaration: each stops the last. */
const open: { stop?(): unknown }[] = [];

/** Node runs the `before` hooks of a file at once, those of a suite one after the other. Parts need one after the other. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Opens a part of a test file's surroundings before its first test and stops it after its last one, the last opened
 * first: `const world = use(openTestWorld)`. The part is a stand-in until then, so that a file can declare one part
 * with the help of another; to read it before the tests run is an error.
 */
export function use<Part extends object>(
  start: () => Part | Promise<Part>,
  hooks: Pick<Hooks, 'after' | 'before'> = runner,
): Part {
  const { part, fill } = standIn<Part>();
  prepare(async () => {
    open.push(fill(await start()));
  }, hooks);
  hooks.after(async () => {
    await open.pop()?.stop?.();
  });
  return part;
}

/** Work between the opening of two parts. A plain `before` would not wait for those that are declared above it. */
export function prepare(work: () => unknown, { before }: Pick<Hooks, 'before'> = runner): void {
  before(async () => {
    const previous = turn;
    turn = previous.catch(() => {}).then(work);
    await turn;
  });
}

/** Another one before each test, such as a business that no other test has touched. Nothing stops it. */
export function useEach<Part extends object>(
  start: () => Part | Promise<Part>,
  { beforeEach }: Pick<Hooks, 'beforeEach'> = runner,
): Part {
  const { part, fill } = standIn<Part>();
  beforeEach(async () => {
    fill(await start());
  });
  return part;
}

/** An object that behaves like the part that it is filled with. */
function standIn<Part extends object>(): { part: Part; fill(found: Part): Part } {
  let found: Part | undefined;
  const real = () => {
    if (found === undefined) throw new Error('used before its file’s tests run');
    return found;
  };
  const part = new Proxy({} as Part, {
    get: (_, key) => Reflect.get(real(), key),
    set: (_, key, value) => Reflect.set(real(), key, value),
    has: (_, key) => Reflect.has(real(), key),
    deleteProperty: (_, key) => Reflect.deleteProperty(real(), key),
    ownKeys: () => Reflect.ownKeys(real()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(real(), key),
  });
  return {
    part,
    fill(given) {
      found = given;
      return given;
    },
  };
}
