import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { needs } from '../support/needs.ts';

/** Syntax and functions that are new in PHP 8. Debian has one PHP at a time, so an older one cannot run here. */
const newerTokens = ['T_MATCH', 'T_NULLSAFE_OBJECT_OPERATOR', 'T_ATTRIBUTE', 'T_ENUM', 'T_READONLY'];
const newerFunctions =
  /^(str_contains|str_starts_with|str_ends_with|array_is_list|array_find|array_any|array_all|json_validate|mb_trim|get_debug_type)$/;

needs('PHP').test('the PHP client uses nothing that PHP 7.4 does not have', () => {
  const list = `foreach (token_get_all(file_get_contents('sdk/php/Milaan.php')) as $token)
    if (is_array($token)) echo token_name($token[0]), ' ', json_encode($token[1]), "\\n";`;
  const tokens = execFileSync('php', ['-r', list], { encoding: 'utf8' }).trim().split('\n');
  assert.ok(tokens.length > 1_000);
  const tooNew = tokens.filter(line => {
    const [name = '', text = ''] = line.split(/ (.*)/);
    return newerTokens.includes(name) || (name === 'T_STRING' && newerFunctions.test(JSON.parse(text)));
  });
  assert.deepEqual(tooNew, []);
  // Types that 7.4 would take for names of classes, a union of them, and parameters that become fields.
  const signatures = /\((?:public|private|protected) |: (?:static|mixed|never)\b|[?\w]+\|[\w]+ \$/;
  const source = execFileSync('php', ['-w', 'sdk/php/Milaan.php'], { encoding: 'utf8' });
  assert.doesNotMatch(source, signatures);
});

needs('Python').test('the Python client uses nothing that Python 3.9 does not have', () => {
  const parse = `import ast, sys
tree = ast.parse(open("sdk/python/milaan.py").read(), feature_version=(3, 9))
names = {alias.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
print(" ".join(sorted(names - set(sys.stdlib_module_names))))`;
  assert.equal(execFileSync('python3', ['-c', parse], { encoding: 'utf8' }).trim(), '');
});
