import type { Locator } from 'playwright-core';

/**
 * Finds truncated text: clipped by its box, or overflowing the panel.
 *
 * @param panel the element to check, with its descendants
 * @returns a line for each truncated text
 */
export async function cutOffTexts(panel: Locator): Promise<string[]> {
	return await panel.evaluate((root) => {
		// A pixel of tolerance for fractional positions.
		const TOLERANCE = 1;
		const { defaultView: view } = root.ownerDocument;
		const found: string[] = [];

		const clips = (style: { overflowX: string }) => style.overflowX !== 'visible';
		const isSeen = (element: typeof root) =>
			element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

		/** Compares an element's own text with every box that clips it. */
		const checkText = (element: typeof root, text: { textContent: string }) => {
			const range = root.ownerDocument.createRange();
			range.selectNodeContents(text);
			const box = range.getBoundingClientRect();
			if (box.width === 0) return;
			for (let around = element; ; around = around.parentElement) {
				const { left, right } = around.getBoundingClientRect();
				const isOut = box.left < left - TOLERANCE || box.right > right + TOLERANCE;
				if (isOut && (around === root || clips(view.getComputedStyle(around)))) {
					found.push(`"${text.textContent.trim()}" reaches out of its box`);
					return;
				}
				if (around === root) return;
			}
		};

		/** The value, or else the placeholder, of a single-line field. */
		const checkInput = (input: typeof root) => {
			const text = input.value || input.placeholder;
			const style = view.getComputedStyle(input);
			const pen = root.ownerDocument.createElement('canvas').getContext('2d');
			pen.font = style.font;
			const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
			if (pen.measureText(text).width > input.clientWidth - padding + TOLERANCE) {
				found.push(`"${text}" is longer than its field`);
			}
		};

		for (const element of root.querySelectorAll('*')) {
			if (!isSeen(element)) continue;
			if (element.matches('input:not([type=checkbox]):not([type=radio])')) checkInput(element);
			if (element.matches('textarea') && element.scrollWidth > element.clientWidth) {
				found.push(`"${element.value || element.placeholder}" is wider than its field`);
			}
			for (const child of element.childNodes) {
				if (child.nodeType === 3 && child.textContent.trim() !== '') checkText(element, child);
			}
		}
		return found;
	});
}
