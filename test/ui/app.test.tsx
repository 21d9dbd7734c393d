import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { App } from '../../source/ui/app.js';
import { createFakeRun, fakeScenario } from './fake-run.js';
import { holdApp, keys } from './model-fixture.js';

describe('the app mounted', () => {
  it('draws again after every key and every flush, and not without one', async () => {
    const fake = createFakeRun({
      scenarios: [fakeScenario('refund-request'), fakeScenario('pricing-question')],
    });
    const app = holdApp([fake.run], { columns: 100 });
    const { lastFrame, frames, unmount } = render(
      <App
        model={app.model}
        onError={(error) => {
          throw error;
        }}
      />,
    );
    expect(lastFrame()).toContain('▸ refund-request');
    app.press(keys.down);
    await expect.poll(lastFrame).toContain('▸ pricing-question');
    const before = frames.length;
    // A trial ends, and nobody flushes: what is drawn is drawn when it is due.
    fake.trial(fake.key('pricing-question', 1), 'fail');
    expect(frames.length).toBe(before);
    app.model.resize(app.model.state.size);
    await expect.poll(lastFrame).toMatch(/▸ pricing-question +✖ · ·/);
    unmount();
  });

  it('hands an error of a screen on, and draws nothing more', () => {
    const fake = createFakeRun({ scenarios: [fakeScenario('refund-request')] });
    const app = holdApp([fake.run]);
    const errors: unknown[] = [];
    Object.defineProperty(app.model, 'grid', {
      get: () => {
        throw new Error('the grid is broken');
      },
    });
    const { lastFrame, unmount } = render(<App model={app.model} onError={(error) => errors.push(error)} />);
    expect(errors).toEqual([new Error('the grid is broken')]);
    expect(lastFrame()?.trim()).toBe('');
    unmount();
  });
});
