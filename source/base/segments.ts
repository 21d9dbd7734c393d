/** UTF-16 units that are split at once. `Intl.Segmenter` takes time out of all proportion beyond some 65,000. */
const windowLength = 8192;

/** So close to the end of a window what comes next may still move a boundary; it is left to the next window. */
const undecided = 256;

/**
 * The segments of a text of any length, in time in proportion to it: as `segmenter.segment(text)` gives them, but for a
 * single segment of more than 8,192 units, which comes in parts.
 */
export function* segmentsOf(text: string, segmenter: Intl.Segmenter): Generator<Intl.SegmentData> {
  let from = 0;
  while (text.length - from > windowLength) {
    const part = text.slice(from, from + windowLength);
    let done = 0;
    for (const { segment, index, isWordLike } of segmenter.segment(part)) {
      if (index > windowLength - undecided) break;
      yield { segment, index: from + index, isWordLike, input: text } as Intl.SegmentData;
      done = index + segment.length;
    }
    from += done;
  }
  for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from)))
    yield { segment, index: from + index, isWordLike, input: text } as Intl.SegmentData;
}
