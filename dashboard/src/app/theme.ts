import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Brand green, from lightest to darkest. */
const brand: MantineColorsTuple = [
  '#e9f8f2',
  '#d3efe3',
  '#a6dfc8',
  '#75ceab',
  '#4fbf93',
  '#36a97c',
  '#1f8f66',
  '#0b6e4f',
  '#085a40',
  '#044631',
];

export const theme = createTheme({
  colors: { brand },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  // System fonts only: no font is downloaded.
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  respectReducedMotion: true,
  components: {
    // Fits the width of a phone.
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200, multiline: true, maw: 300 } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.4, blur: 2 } } },
    // Part of the page. What interrupts a screen reader says so by its role.
    Alert: { defaultProps: { role: 'note' } },
    // The first item has the focus when a menu opens, not an empty element. Tab goes to the next.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, menuItemTabIndex: 0 } },
    // Otherwise nothing has the focus once a day is chosen.
    DatePickerInput: { defaultProps: { popoverProps: { returnFocus: true } } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});
