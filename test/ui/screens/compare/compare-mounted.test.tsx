import { render } from 'ink-testing-library';
import { expect, it } from 'vitest';
import { App } from '../../../../source/ui/app.js';
import { comparedRun, played } from '../../compared-run.js';
import { fakeScenario } from '../../fake-run.js';
import { holdApp, keys } from '../../model-fixture.js';

const check = 'tool_called get_order';

it('the changes, the two conversations and the figures are drawn as keys are pressed', async () => {
  const fake = comparedRun({ scenarios: [fakeScenario('refund-late', [], [check])] });
  played(fake, 'refund-late', ['pass', 'pass', 'pass'], ['fail', 'fail', 'fail'], 'get_order was not called');
  fake.end();
  const held = holdApp([fake.run], { columns: 100 });
  const onError = (error: unknown) => {
    throw error;
  };
  const { lastFrame, unmount } = render(<App model={held.model} onError={onError} />);
  held.press('c');
  await expect.poll(lastFrame).toContain('nothing else changed (0 criteria)');
  held.press(keys.enter);
  await expect.poll(lastFrame).toMatch(/old words of refund-late .*new words of refund-late/);
  held.press(keys.escape, 'i');
  await expect.poll(lastFrame).toMatch(/│ prompt +│ v14 +│ v15/);
  held.press(keys.escape, keys.escape, '?');
  await expect.poll(lastFrame).toContain('keys of the grid');
  held.press(keys.end);
  await expect.poll(lastFrame).toContain('▲ fixed');
  unmount();
});
