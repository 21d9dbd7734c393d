/** What the person sees and has chosen on the screen of a bisect. What is tried and believed is in its record. */
export interface BisectState {
  /** Id of the row that the person chose. Not set: what is going on is followed. */
  row: string | undefined;
  /** First row on screen. */
  top: number;
  /** Which pane hears the keys that move, where both are on screen, and which is shown where there is room for one. */
  pane: 'list' | 'detail';
  /** First line of the detail on screen. */
  detailTop: number;
  /** Which conversation of the row is chosen, from 0. Not set: the last failing one, or the last. */
  cell: number | undefined;
}

export const firstBisectState: BisectState = {
  row: undefined,
  top: 0,
  pane: 'list',
  detailTop: 0,
  cell: undefined,
};
