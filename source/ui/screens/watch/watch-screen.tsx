import { makeVisible } from '../../../base/text.js';
import { LinesScreen } from '../../components/lines-screen.js';
import type { AppModel } from '../../model.js';
import { fitLine, type Line, segment, spreadLine } from '../../segments.js';
import { hiddenText, topFor } from '../../viewport.js';
import { lookAtWatch, watchHeight } from './actions.js';
import type { WatchRow } from './rows.js';

/** Picks what a bisect goes by: scenarios, by all of their checks or by some. */
export function WatchScreen({ model }: { model: AppModel }) {
  const { watch, state } = model;
  const width = state.size.columns - 1;
  const height = watchHeight(state.size);
  const { rows, at } = lookAtWatch(model);
  const top = topFor({ top: watch?.top ?? 0, height, count: rows.length }, at);
  const hidden = hiddenText({ top, height, count: rows.length });
  const body = rows.slice(top, top + height).map((row, index) => rowLine(model, row, top + index === at));
  if (rows.length === 0) body.push([segment(' no scenario and no check has this text', 'warn')]);
  while (body.length < height) body.push([]);
  const filter = watch?.filter ? `   with "${makeVisible(watch.filter)}"` : '';
  const lines = [
    spreadLine(
      [segment(' what is watched', 'title'), segment(filter, 'faint')],
      hidden === '' ? [] : [segment(hidden, 'accent')],
      width,
    ),
    fitLine([segment(` ${chosenText(model)}`, 'faint')], width),
    ...body.map((line) => fitLine(line, width)),
  ];
  return <LinesScreen model={model} lines={lines} />;
}

function chosenText({ watch }: AppModel): string {
  const count = watch?.chosen.length ?? 0;
  if (count === 0) return 'nothing is chosen';
  return count === 1
    ? 'one is chosen: a trial passes where it passes'
    : `${count} are chosen: a trial passes where all of them pass`;
}

function rowLine({ theme }: AppModel, row: WatchRow, isSelected: boolean): Line {
  const { isChosen } = row;
  const { scenario, check } = row.watched;
  const mark = segment(isSelected ? `${theme.glyphs.marker} ` : '  ', 'accent');
  const box = segment(isChosen ? `[${theme.glyphs.checkPass}] ` : '[ ] ', isChosen ? 'accent' : 'faint');
  const tone = isSelected ? 'strong' : 'plain';
  return [
    mark,
    ...(check === undefined ? [] : [segment('    ')]),
    box,
    segment(makeVisible(check ?? scenario), tone),
    ...(check === undefined ? [segment('   all checks', 'faint')] : []),
  ];
}
