import { useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { nextTick, onMounted, watch } from 'vue';
import './style.css';

export default {
  extends: DefaultTheme,
  setup() {
    // The first page, and the one for wrong addresses, have no part that programs which read pages aloud know as content.
    const mark = () => document.querySelector('.VPHome, .NotFound')?.setAttribute('role', 'main');
    onMounted(mark);
    const route = useRoute();
    watch(
      () => route.path,
      () => nextTick(mark),
    );
  },
};
