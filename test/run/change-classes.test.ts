import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { criterionId, readClasses, saveClass } from '../../source/run/change-classes.js';
import { createFolder } from '../suite/project.js';

const one = { scenario: 'refund-late', check: 'offers-credit', by: 'Ada', at: 1 };

describe('what people said of changes', () => {
  it('is read as it was said, the last word of each criterion', async () => {
    const folder = await createFolder({});
    expect(await readClasses(folder)).toEqual(new Map());
    await saveClass(folder, { ...one, class: 'regression' });
    await saveClass(folder, { ...one, check: 'other', class: 'regression' });
    await saveClass(folder, { ...one, class: 'bad-criterion', at: 2 });
    const classes = await readClasses(folder);
    expect(classes.get(criterionId(one))).toEqual({ ...one, class: 'bad-criterion', at: 2 });
    expect(classes.size).toBe(2);
  });

  it('is gone once it was taken back', async () => {
    const folder = await createFolder({});
    await saveClass(folder, { ...one, class: 'regression' });
    await saveClass(folder, { ...one, class: null });
    expect(await readClasses(folder)).toEqual(new Map());
  });

  it('is read also where a line was cut off or is of nobody here', async () => {
    const folder = await createFolder({});
    await saveClass(folder, { ...one, class: 'intended-change' });
    await appendFile(
      path.join(folder, 'classes.jsonl'),
      '{"scenario":"x","check":"y","class":"fun"}\n{"scen',
    );
    expect([...(await readClasses(folder)).keys()]).toEqual([criterionId(one)]);
  });
});
