import { Component, type ReactNode } from 'react';

/**
 * Keeps an error inside a screen from reaching Ink, which would draw its own overview on the alternate screen, where
 * it is lost. The error is handed on instead, and whoever opened the app prints it after the terminal is restored.
 * React knows error boundaries only as classes.
 */
export class ScreenBoundary extends Component<
  { onError: (error: unknown) => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
